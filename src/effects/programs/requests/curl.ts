import { program } from "../../program.ts";
import { requests } from "./requests.ts";

export default program({
  names: ["curl", "http", "https", "xh", "xhs", "httpie"],
  kind: "destroy-infrastructure",
  exempt: "their words are addresses and data",
  also: requests,
  examples: {
    hit: ["curl -X DELETE http://localhost:9200/_all", "curl -XDELETE 'http://es:9200/logs-*'"],
    pass: ["curl -X DELETE http://localhost:3000/api/items/1", "curl http://localhost:9200/_cat/indices"],
  },
});
