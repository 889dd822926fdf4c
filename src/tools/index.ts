export { toolNames } from './catalogue.ts';
export { toolPrompt } from './toolPrompt.ts';
export { createToolHost, type OpenToolServer, type ToolHost } from './host.ts';
