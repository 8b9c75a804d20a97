"""Reading the files of a documentation repository; problems become diagnostics."""
