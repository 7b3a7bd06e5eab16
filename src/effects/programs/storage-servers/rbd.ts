import { program } from "../../program.ts";

export default program({
  names: ["rbd"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["rm|remove|rollback", "removes the image {}"],
    ["snap|trash|group|image-meta rm|remove|purge|rollback", "removes {}"],
  ],
  examples: {
    hit: ["rbd rm web", "rbd snap rm web"],
    pass: ["rbd snap ls data"],
  },
});
