export { TOOL_SERVER_ID, toolNames, toolPrompt } from './catalogue.ts';
export { createToolHost, type OpenToolServer, type ToolHost } from './host.ts';
