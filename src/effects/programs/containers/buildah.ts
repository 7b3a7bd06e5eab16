import { program } from "../../program.ts";
import { pushedImages } from "./pushed-images.ts";

export default program({
  names: ["buildah"],
  kind: "publish",
  exempt: "images, networks and stopped containers are made again, and what holds data has a rule",
  also: pushedImages,
  examples: {
    hit: ["buildah push web:1"],
    pass: ["buildah push localhost:5000/web:1"],
  },
});
