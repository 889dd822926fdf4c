import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import OpenCommand from '../../cli/commands/open.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { ask, openSurface, type Surface, TOKEN } from '../support/http/httpSurface.ts';

const test = suite('svc open');

const openCommandLine = ({ url }: Surface, more: Record<string, string> = {}): CommandLine =>
  new CommandLine({ SVC_URL: url, SVC_TOKEN: TOKEN, SVC_NO_OPEN: '1', ...more });

test('svc open prints a link that logs a browser in where none can be started', async () => {
  await using surface = await openSurface({ auth: 'required' });
  const { code, out } = await openCommandLine(surface).run(OpenCommand, []);
  assert.is(code, 0);
  assert.match(
    out,
    /^Open this link in a browser\. It works once, within ten minutes:\nhttp:\/\/127\.0\.0\.1:\d+\/login\/[\w-]+\n$/,
  );
  const path = new URL(out.split('\n')[1] ?? '').pathname;
  assert.is((await ask(surface, path)).status, 302);
});

test('svc open --json says the link, until when it is good, and that no browser was opened', async () => {
  await using surface = await openSurface();
  const { out } = await openCommandLine(surface).run(OpenCommand, ['--json', '--no-open']);
  const { url, expiresAt, opened } = JSON.parse(out);
  assert.match(url, `${surface.url}/login/`);
  assert.equal(expiresAt, new Date(surface.clock.now() + 10 * 60_000).toISOString());
  assert.equal(opened, false);
});

test('svc open --end-logins ends every login and says how many', async () => {
  await using surface = await openSurface({ auth: 'required' });
  for (let n = 0; n < 2; n++) await ask(surface, `/login/${surface.issueLoginCode()}`);
  assert.is(
    (await openCommandLine(surface).run(OpenCommand, ['--end-logins'])).out,
    '2 logins ended.\n',
  );
  assert.is(surface.logins.rows.size, 0);
});

test('without the token svc open says what is missing and exits with 4', async () => {
  await using surface = await openSurface();
  const { code, err } = await openCommandLine(surface, { SVC_TOKEN: 'another' }).run(
    OpenCommand,
    [],
  );
  assert.is(code, 4);
  assert.match(err, /^Error: The token is not valid for this runner\./);
});

test.run();
