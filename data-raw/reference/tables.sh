#!/bin/sh
# Makes the full reference tables data-raw/tables/density-tails.csv.xz and quantiles.csv.xz (make tables JOBS=4).
#
#     tables.sh PROGRAM FOLDER [JOBS]
#
# PROGRAM is the generator, FOLDER receives temporary files.  Finished parts are kept: a run that was stopped continues.
set -e
program=$1 folder=$2 jobs=${3:-1}
here=$(dirname "$0")
mkdir -p "$folder" "$here/../tables"

for kind in points quantiles; do
  [ -e "$folder/$kind-aa" ] || { Rscript "$here/design.R" $kind > "$folder/$kind.txt"
                                 split -n l/26 "$folder/$kind.txt" "$folder/$kind-"; }
  # A part is complete when its file has its final name.
  ls "$folder"/$kind-?? | xargs -P "$jobs" -I PART sh -c \
    "[ -e PART.csv ] || { nice $program $kind < PART > PART.tmp 2> PART.err && mv PART.tmp PART.csv; }"
done

# collect KIND NAME LINES-OF-COMMENT: one table from the parts, the header once
collect() {
  { printf '# %s\n' "$3" "$4" \
      'Ball arithmetic (Arb); two independent methods for each row agree to 30 digits; made by data-raw/reference.'
    head -n 1 "$folder/$1-aa.csv"
    for part in "$folder"/$1-??.csv; do tail -n +2 "$part"; done; } | xz -9e > "$here/../tables/$2.csv.xz"
  echo "$2: $(cat "$folder"/$1-??.err | wc -l) of $(wc -l < "$folder/$1.txt") points left out"
}
collect points density-tails \
  'Density, log density, distribution function and upper tail of the standard S0 distribution (gamma = 1, delta = 0).' \
  'ulp_*: relative change of the value when x moves to the next double, -1 where unknown.'
collect quantiles quantiles 'Quantiles q of the standard S0 distribution (gamma = 1, delta = 0).' \
  'pdf: the density at q, to six digits.'
