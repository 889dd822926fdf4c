import { connect } from 'node:net';

/**
 * Asks for one stream on each of many connections at the same time, and sends its parent how often each answer came:
 * the status with Retry-After and the code of the problem. All stay open until the parent ends this process.
 * Arguments: port, path, headers as JSON, count.
 */
const [, , port, path, headers = '{}', count] = process.argv;
const request = [
  `GET ${path} HTTP/1.1`,
  'Host: 127.0.0.1',
  ...Object.entries(JSON.parse(headers)).map(([name, value]) => `${name}: ${value}`),
  '',
  '',
].join('\r\n');
const answers: Record<string, number> = {};
let missing = Number(count);

function add(answer: string): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
  missing -= 1;
  if (missing === 0) process.send?.(answers);
}

for (let n = Number(count); n > 0; n -= 1) {
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  let text = '';
  let isAnswered = false;
  const answer = (what: string) => {
    if (!isAnswered) add(what);
    isAnswered = true;
  };
  socket.on('connect', () => socket.write(request));
  socket.on('data', (bytes) => {
    if (isAnswered) return;
    text += bytes;
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
    const code = /"code":"([a-z-]+)"/.exec(text)?.[1];
    if (status === '200') answer(status);
    else if (code !== undefined)
      answer(`${status} ${code} ${/retry-after: (\d+)/i.exec(text)?.[1] ?? ''}`);
  });
  socket.on('error', (error) => answer(error.message));
  socket.on('close', () => answer(`closed: ${text.slice(0, 100)}`));
}
