// A bundle of its own, because no other command needs the library for servers of the Model Context Protocol.
export { McpServer } from "@modelcontextprotocol/server";
export { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
