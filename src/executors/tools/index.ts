export { listToolNames } from './catalogue/buildToolCatalogue.ts';
export { renderToolPrompt } from './catalogue/renderToolPrompt.ts';
export { createToolHost, type OpenToolServer, type ToolHost } from './host/createToolHost.ts';
