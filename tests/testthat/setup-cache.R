# Drivers keep what they compile; PoCL does so in the home folder, where tests write nothing.  Child processes inherit
# the variable, and the folder goes with R's own temporary folder.
if (!nzchar(Sys.getenv("POCL_CACHE_DIR"))) Sys.setenv(POCL_CACHE_DIR = file.path(tempdir(), "pocl"))
