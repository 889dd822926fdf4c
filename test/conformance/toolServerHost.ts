/**
 * The tool server of a session, behind the runner's real HTTP surface, and before that a small
 * proxy that adds the session's path and token and leaves everything else as it is: the suite
 * cannot send a token. Prints its address; ends with its standard input.
 */
import { systemClock } from '../../src/base/time/clock.ts';
import { neverAway } from '../../src/base/concurrency/unlessAway.ts';
import { createServer, request } from 'node:http';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { createToolHost } from '../../src/executors/tools/host/createToolHost.ts';
import { FakeJobPort } from '../support/http/fakeAgentJob.ts';
import { openSurface } from '../support/http/httpSurface.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const tools = createToolHost({
  clock: systemClock,
  awaySince: neverAway,
  visible: unscreened,
  screen: unscreened,
  ids: randomIds,
  onError: (where, error) => console.error(where, error),
});
const { port } = await openSurface({ tools });
const { path, token } = tools.open(new FakeJobPort(), { forges: ['local'] });
const proxy = createServer((req, res) => {
  const headers = { ...req.headers, authorization: `Bearer ${token}` };
  const onward = request(
    { host: '127.0.0.1', port, path, method: req.method, headers },
    (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    },
  );
  onward.on('error', () => res.destroy());
  req.pipe(onward);
});
proxy.listen(0, '127.0.0.1', () => {
  const address = proxy.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit());
