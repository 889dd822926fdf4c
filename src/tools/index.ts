export { listToolNames } from './buildToolCatalogue.ts';
export { renderToolPrompt } from './renderToolPrompt.ts';
export { createToolHost, type OpenToolServer, type ToolHost } from './createToolHost.ts';
