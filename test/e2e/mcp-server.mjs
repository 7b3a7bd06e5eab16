/**
 * A small MCP server on standard input and output: `echo` answers with what it got, `ask` first asks the person,
 * `permit` decides about permissions as the client's prompt tool.
 */
import readline from "node:readline";

const TOOLS = ["echo", "ask", "permit"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
const ELICITATION_ID = 9_000;
let asking;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answer = (id, text) => send({ id, result: { content: [{ type: "text", text }] } });

function call(id, { name, arguments: input = {} }) {
  if (name === "echo") return answer(id, JSON.stringify(input));
  if (name === "permit") return answer(id, JSON.stringify({ behavior: "allow", updatedInput: input.input ?? {} }));
  asking = id;
  const requestedSchema = { type: "object", properties: { color: { type: "string" } }, required: ["color"] };
  return send({
    id: ELICITATION_ID,
    method: "elicitation/create",
    params: { message: "Which color?", requestedSchema },
  });
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (id === ELICITATION_ID && method === undefined) return answer(asking, JSON.stringify(result ?? {}));
  if (method === "initialize") {
    const { protocolVersion } = params;
    return send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1.0.0" } },
    });
  }
  if (method === "tools/list") return send({ id, result: { tools: TOOLS } });
  if (method === "tools/call") return call(id, params);
  if (id !== undefined) return send({ id, result: {} });
});
