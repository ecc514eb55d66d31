"""Whatever answers: decision providers over the wire, and the embedded model."""
