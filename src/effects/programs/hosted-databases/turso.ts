import { program } from "../../program.ts";

export default program({
  names: ["turso"],
  kind: "destroy-database",
  service: true,
  values: "u user h host P port S socket U username p W password O maintenance-db d dbname",
  rules: [
    ["db destroy", "destroys the database {}"],
    ["group destroy", "destroys the group {}"],
  ],
  examples: {
    hit: ["turso db destroy web", "turso group destroy web"],
    pass: ["turso config cache delete"],
  },
});
