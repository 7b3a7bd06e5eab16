import { program } from "../../program.ts";

export default program({
  names: ["netsh"],
  kind: "permission-blast",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["advfirewall reset", "resets the network settings"],
    [
      "advfirewall set allprofiles|currentprofile|domainprofile|privateprofile|publicprofile state off",
      "resets the network settings",
    ],
    ["firewall set opmode disable|mode=disable", "resets the network settings"],
    ["int|interface ip reset", "resets the network settings"],
    ["winsock reset", "resets the network settings"],
  ],
  examples: {
    hit: [
      "netsh advfirewall set allprofiles state off",
      "netsh advfirewall set publicprofile state off",
      "netsh advfirewall reset",
      "netsh firewall set opmode disable",
      "netsh int ip reset",
      "netsh winsock reset",
    ],
    pass: ["netsh advfirewall set allprofiles state on", "netsh advfirewall show allprofiles"],
  },
});
