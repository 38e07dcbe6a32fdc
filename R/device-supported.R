# What devices do not compute.  Functions that users call fail if a device was selected by name and has no kernel for
# them.  Larger computations, such as standard errors and plots, use the CPU instead.

# Stops if a device is selected by name.  `what`: the object of "Devices do not compute".
stop_on_device <- function(what, call = sys.call(-1L)) {
  if (.Call(C_is_device_selected))
    stop_with(call, "unsupported", "Devices do not compute ", what,
              "; select the CPU by stable_backend(\"cpu\"), or use stable_backend(\"auto\").")
}
