"""The kernel: frames of named steps, questions and their grammar, places and the verbs that write to them."""
