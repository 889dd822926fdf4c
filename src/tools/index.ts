export { toolNames, toolPrompt } from './catalogue.ts';
export { createToolHost, type OpenToolServer, type ToolHost } from './host.ts';
