"""Where answers come from: chat models behind one small protocol, and quoting without any."""
