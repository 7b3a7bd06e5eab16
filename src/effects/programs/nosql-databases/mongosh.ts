import { MONGO } from "../../languages/sql/mongo.ts";
import { program } from "../../program.ts";

export default program({
  names: ["mongosh", "mongo"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: MONGO,
  examples: {
    hit: ['mongosh --eval "db.dropDatabase()"', "mongosh app --eval 'db.users.drop()'"],
    pass: ['mongosh --eval "db.users.find()"', 'mongosh --eval "db.users.countDocuments({})"'],
  },
});
