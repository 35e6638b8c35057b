"""Wire types of the operators' protocol, generated from proto/landsraad_admin/v1."""
