# Drivers cache compiled kernels; PoCL does so in the home directory, where tests must not write.  Child processes
# inherit this variable, and R removes its temporary directory when it ends.
if (!nzchar(Sys.getenv("POCL_CACHE_DIR"))) Sys.setenv(POCL_CACHE_DIR = file.path(tempdir(), "pocl"))

# The programs that the package itself keeps would alter the numbers of OpenCL calls; child processes keep theirs in a
# temporary folder, too.
options(stablecl.programs = FALSE)
Sys.setenv(R_USER_CACHE_DIR = file.path(tempdir(), "cache"))
