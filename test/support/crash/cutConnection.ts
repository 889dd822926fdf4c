/**
 * Where the connection of an agent to the tool server is cut, once: `call`, as soon as the call has
 * been read; `answer`, when the tool has done its work and its answer is about to be sent.
 */
export type Cut = { at: 'call'; tool: string } | { at: 'answer'; text: RegExp };

/** Runs in the runner's process before anything else does. */
const SOURCE = `
import { Server, ServerResponse } from 'node:http';
const cut = (CUT);
let isDone = false;
const open = new Set();
const emit = Server.prototype.emit;
Server.prototype.emit = function (event, req, res) {
  if (event === 'request' && req.url.startsWith('/mcp/')) {
    open.add(req.socket);
    res.once('close', () => open.delete(req.socket));
  }
  return emit.apply(this, arguments);
};
const parse = JSON.parse;
JSON.parse = (text, ...rest) => {
  if (!isDone && cut.at === 'call' && String(text).includes('"tools/call"') && String(text).includes(cut.tool)) {
    isDone = true;
    setImmediate(() => { for (const socket of open) socket.destroy(); });
  }
  return parse(text, ...rest);
};
for (const name of ['write', 'end']) {
  const plain = ServerResponse.prototype[name];
  ServerResponse.prototype[name] = function (chunk, ...rest) {
    const said = !isDone && cut.at === 'answer' && open.has(this.req?.socket) && chunk ? Buffer.from(chunk).toString() : '';
    if (!cut.text?.test(said)) return plain.call(this, chunk, ...rest);
    isDone = true;
    this.req.socket.destroy();
    return name === 'end' ? this : false;
  };
}`;

const literal = (cut: Cut): string =>
  cut.at === 'call'
    ? JSON.stringify(cut)
    : `{ at: 'answer', text: new RegExp(${JSON.stringify(cut.text.source)}) }`;

export const cutting = (cut: Cut): string =>
  `--import=data:text/javascript,${encodeURIComponent(SOURCE.replace('CUT', literal(cut)))}`;
