import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ServiceInstallCommand from '../../cli/commands/service/install.ts';
import ServiceLogsCommand from '../../cli/commands/service/logs.ts';
import ServiceStatusCommand from '../../cli/commands/service/status.ts';
import ServiceUninstallCommand from '../../cli/commands/service/uninstall.ts';
import {
  chooseServiceManager,
  renderLaunchdPlist,
} from '../../cli/service/chooseServiceManager.ts';
import { readCloudPlace, readServedUrl } from '../../cli/service/cloudService.ts';
import { pickCloudVariables, writeCloudVariables } from '../../cli/service/cloudVariables.ts';
import { findCloudVariable } from '../../cli/service/findCloudVariable.ts';
import { installService, uninstallService } from '../../cli/service/installService.ts';
import { followLog } from '../../cli/service/logFiles.ts';
import type { ProgramResult } from '../../cli/service/runServiceProgram.ts';
import { buildServicePlan } from '../../cli/service/buildServicePlan.ts';
import { renderSystemdUnit } from '../../cli/service/renderSystemdUnit.ts';
import { renderWindowsScript, renderWindowsTask } from '../../cli/service/renderWindowsTask.ts';
import type { SvcError } from '../../src/base/errors/errors.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite('svc service');

const SCRIPT = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');
const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!HAS_SYSTEMD)
  console.log('note: systemd-analyze is missing (Debian: systemd), so units are not verified');

let dir: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-service-'));
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

const planFor = (
  home: string,
  env: Record<string, string> = {},
  systemUser: string | null = null,
) =>
  buildServicePlan({
    node: process.execPath,
    script: SCRIPT,
    version: '0.2.0',
    home,
    userHome: dir,
    systemUser,
    env: { PATH: process.env.PATH ?? '', ...env },
  });

const cloudPlanFor = (
  home: string,
  env: Record<string, string> = {},
  systemUser: string | null = null,
  more = ['--host', '127.0.0.1', '--port', '4000'],
) =>
  buildServicePlan({
    more,
    node: process.execPath,
    script: SCRIPT,
    version: '0.2.0',
    home,
    userHome: dir,
    systemUser,
    env: { PATH: process.env.PATH ?? '', ...env },
  });

/** The arguments of a line of a unit, as systemd takes it apart. */
const splitArguments = (line: string): string[] =>
  [...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );

/** A manager whose programs only note their calls. */
function openNotedManager(answers: (call: string) => Partial<ProgramResult> = () => ({})) {
  const calls: string[] = [];
  const run = async (program: string, args: readonly string[]): Promise<ProgramResult> => {
    const call = [program, ...args].join(' ');
    calls.push(call);
    return { code: 0, out: '', err: '', ...answers(call) };
  };
  return { calls, run };
}

const host = (
  run: ReturnType<typeof openNotedManager>['run'],
  platform: NodeJS.Platform = 'linux',
) => ({
  platform,
  env: { USERDOMAIN: 'PC' },
  userHome: dir,
  userName: 'ana',
  uid: 501,
  isSystem: false,
  run,
  hasSystemd: true,
});

test('its unit passes systemd-analyze verify, with a home of awkward signs too, for user and machine', () => {
  for (const home of [join(dir, '.svc'), join(dir, 'a b%h"c\'$d')])
    for (const user of [null, userInfo().username]) {
      const unit = renderSystemdUnit(planFor(home, { LANG: 'de"DE%' }, user).plan);
      assert.is(unit.includes('User='), user !== null);
      if (!HAS_SYSTEMD) continue;
      const file = join(dir, 'svc-test.service');
      writeFileSync(file, unit);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], {
        encoding: 'utf8',
      });
      assert.equal([status, stderr], [0, '']);
    }
});

test('the unit of a control plane passes systemd-analyze verify, for user and machine', () => {
  for (const home of [join(dir, '.svc'), join(dir, 'a b%h"c\'$d')])
    for (const user of [null, userInfo().username]) {
      const unit = renderSystemdUnit(cloudPlanFor(home, {}, user).plan);
      assert.match(unit, /^RestartSec=10$/m);
      assert.not.match(unit, /^(?:ExecReload|Delegate)=/m);
      if (!HAS_SYSTEMD) continue;
      const file = join(dir, 'svc-cloud-test.service');
      writeFileSync(file, unit);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], {
        encoding: 'utf8',
      });
      assert.equal([status, stderr], [0, '']);
    }
});

test('the service of a control plane has a name, a log and variables of its own, and never prints the link of the owner', () => {
  const home = join(dir, '.svc');
  const { plan } = cloudPlanFor(home);
  assert.is(plan.name, 'svc-cloud');
  assert.equal(plan.command.slice(2), [
    'cloud',
    'start',
    '--no-owner-link',
    '--host',
    '127.0.0.1',
    '--port',
    '4000',
    '--log-file',
    join(home, 'logs/cloud.log'),
  ]);
  assert.is(plan.environmentFile, join(home, 'cloud.env'));
  assert.is(cloudPlanFor(home, {}, 'ana').plan.environmentFile, '/etc/svc/svc-cloud.env');
  assert.match(cloudPlanFor(join(dir, 'work')).plan.name, /^svc-cloud-[0-9a-f]{8}$/);
});

test('its flags are those of svc cloud start, and are refused as there', () => {
  const place = (flags: Record<string, string>) =>
    readCloudPlace(
      {
        port: flags.port,
        host: flags.host,
        'public-url': flags['public-url'],
        'node-url': undefined,
        'trust-proxy': flags['trust-proxy'],
        'install-postgres': false,
      },
      {},
    );
  assert.equal(place({}), {
    more: ['--host', '127.0.0.1', '--port', '4000'],
    url: 'http://127.0.0.1:4000',
    publicUrl: 'http://localhost:4000',
  });
  assert.equal(place({ host: '0.0.0.0', port: '4001', 'public-url': 'https://svc.example.com' }), {
    more: ['--host', '0.0.0.0', '--port', '4001', '--public-url', 'https://svc.example.com'],
    url: 'http://127.0.0.1:4001',
    publicUrl: 'https://svc.example.com',
  });
  assert.equal(place({ 'trust-proxy': '10.0.0.0/8' }).more.slice(-2), [
    '--trust-proxy',
    '10.0.0.0/8',
  ]);
  for (const wrong of [
    { port: '0' },
    { port: 'x' },
    { host: '0.0.0.0' },
    { 'trust-proxy': 'x' },
  ] as const)
    assert.throws(
      () => place(wrong),
      (error: SvcError) => error.code === 'bad-argument',
    );
});

test('a database URL with a password is in a file of its user alone, where commands find it again', async () => {
  const home = join(dir, '.svc');
  const url = "postgres://svc:s3'cret$x@db/svc?a=b&c=d";
  const { plan, left } = cloudPlanFor(home, { DATABASE_URL: url });
  assert.equal(left, ['DATABASE_URL']);
  assert.not.match(renderSystemdUnit(plan), /cret/);
  mkdirSync(home);
  writeFileSync(plan.environmentFile, 'NODE_OPTIONS=--max-old-space-size=300\nDATABASE_URL=old\n');
  await writeCloudVariables(plan, { DATABASE_URL: url });
  assert.is(statSync(plan.environmentFile).mode & 0o777, 0o600);
  assert.is(
    readFileSync(plan.environmentFile, 'utf8'),
    "NODE_OPTIONS=--max-old-space-size=300\nDATABASE_URL='postgres://svc:s3%27cret$x@db/svc?a=b&c=d'\n",
  );
  const io = { env: {}, homeDir: dir };
  assert.is(await findCloudVariable(io, home, 'DATABASE_URL'), url.replace("'", '%27'));
  assert.is(
    await findCloudVariable({ ...io, env: { DATABASE_URL: 'postgres://x' } }, home, 'DATABASE_URL'),
    'postgres://x',
  );
  assert.is(await findCloudVariable(io, join(dir, 'other'), 'DATABASE_URL'), null);
});

test('keys and tokens of a control plane are in the same file, and neither in the unit nor in an argument', async () => {
  const home = join(dir, 'keys');
  const env = {
    SVC_CLOUD_KEY: Buffer.alloc(32, 1).toString('base64'),
    SVC_CLOUD_OTHER_KEY: Buffer.alloc(32, 2).toString('base64'),
    SVC_CLOUD_METRICS_TOKEN: 'a-token-of-monitors',
  };
  const { plan, left } = cloudPlanFor(home, env);
  const unit = renderSystemdUnit(plan);
  assert.equal(
    Object.values(env).filter((secret) => unit.includes(secret)),
    [],
  );
  await writeCloudVariables(plan, pickCloudVariables('linux', env, left));
  assert.is(statSync(plan.environmentFile).mode & 0o777, 0o600);
  for (const [name, secret] of Object.entries(env))
    assert.is(await findCloudVariable({ env: {}, homeDir: dir }, home, name), secret);
});

test('where launchd would show the password of the database, it is refused', () => {
  const env = { DATABASE_URL: 'postgres://svc:s3cret@db/svc' };
  assert.throws(
    () => pickCloudVariables('darwin', env, ['DATABASE_URL']),
    (error: SvcError) => error.code === 'not-possible-now' && !error.message.includes('s3cret'),
  );
});

test('from the file of a service svc reads where its control plane listens', async () => {
  const home = join(dir, '.svc');
  const more = ['--host', '::1', '--port', '4001'];
  const { plan } = cloudPlanFor(home, {}, null, more);
  for (const text of [renderSystemdUnit(plan), renderLaunchdPlist(plan)]) {
    const file = join(dir, 'file');
    writeFileSync(file, text);
    assert.is(await readServedUrl(file), 'http://[::1]:4001');
  }
});

test('svc service install --cloud --dry-run shows the unit and changes nothing', async () => {
  const line = new CommandLine({
    SVC_HOME: join(dir, 'home'),
    DATABASE_URL: 'postgres://svc:s3cret@db/svc',
  });
  const argv = ['--cloud', '--dry-run', '--public-url', 'https://svc.example.com'];
  const { code, out, err } = await line.run(ServiceInstallCommand, argv);
  assert.is(code, 0);
  assert.match(
    out,
    /^ExecStart=.*"cloud" "start" "--no-owner-link".*"https:\/\/svc\.example\.com"/m,
  );
  assert.match(out, /enable --now svc-cloud-[0-9a-f]{8}\.service\n$/);
  assert.not.match(`${out}${err}`, /s3cret/);
  assert.equal(readdirSync(dir), []);
  assert.is((await line.run(ServiceInstallCommand, ['--dry-run', '--port', '4000'])).code, 2);
});

test('its ExecStart starts a runner that answers and ends with 0 at SIGTERM; the log is in its files (RUN-6)', async () => {
  const home = join(dir, "a b%h c'$d");
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), '{ "server": { "port": 0 } }');
  const { plan } = planFor(home);
  const line = /^ExecStart=(.*)$/m.exec(renderSystemdUnit(plan))?.[1] ?? '';
  const [program = '', ...args] = splitArguments(line);
  assert.equal([program, ...args], plan.command);
  const runner = spawn(program, args, { env: { ...process.env, SVC_HOME: home, CI: 'true' } });
  const exit = once(runner, 'exit');
  let output = '';
  for await (const part of runner.stdout.setEncoding('utf8')) {
    output += part;
    if (output.includes('In another terminal')) break;
  }
  const { url } = JSON.parse(readFileSync(join(home, 'runner.json'), 'utf8'));
  assert.is((await fetch(`${url}/health`)).status, 200);
  runner.kill('SIGTERM');
  assert.equal(await exit, [0, null]);
  const logs = await new CommandLine({ SVC_HOME: home }).run(ServiceLogsCommand, []);
  assert.match(logs.out, /svc .* listens on http:.*\n.*the runner has stopped\n$/s);
});

test('passwords of proxies stay out of the file; keys come from service.env', () => {
  const { plan, left } = planFor(join(dir, '.svc'), {
    HTTPS_PROXY: 'http://ana:s3cret@proxy:3128',
    NO_PROXY: 'localhost',
    ANTHROPIC_API_KEY: 'sk-secret',
  });
  const unit = renderSystemdUnit(plan);
  assert.equal(left, ['HTTPS_PROXY']);
  assert.not.match(unit, /s3cret|sk-secret/);
  assert.match(unit, /^Environment="NO_PROXY=localhost"$/m);
  assert.match(unit, /^EnvironmentFile=-.*\/\.svc\/service\.env$/m);
});

test('another home than the default one has a service of its own', () => {
  assert.is(planFor(join(dir, '.svc')).plan.name, 'svc');
  assert.match(planFor(join(dir, 'work')).plan.name, /^svc-[0-9a-f]{8}$/);
});

test('systemd: written, loaded, enabled and started; removed in the reverse order', async () => {
  const { calls, run } = openNotedManager((call) =>
    call.includes('is-active') ? { out: 'active\n' } : {},
  );
  const manager = chooseServiceManager(host(run), false);
  const { plan } = planFor(join(dir, '.svc'));
  const file = join(dir, '.config/systemd/user/svc.service');
  assert.equal(await installService(manager, plan, run), [file]);
  assert.is(readFileSync(file, 'utf8'), renderSystemdUnit(plan));
  assert.equal(await manager.state(plan), { enabled: true, running: true, word: 'active' });
  assert.match(await manager.advice(plan), /sudo loginctl enable-linger ana/);
  assert.equal(await uninstallService(manager, plan, run), [file]);
  assert.not.ok(existsSync(file));
  assert.equal(await uninstallService(manager, plan, run), [], 'nothing is left to remove');
  assert.equal(calls, [
    'systemctl --user daemon-reload',
    'systemctl --user enable --now svc.service',
    'systemctl --user is-active svc.service',
    'systemctl --user is-enabled svc.service',
    'loginctl show-user ana -p Linger',
    'systemctl --user disable --now svc.service',
    'systemctl --user daemon-reload',
  ]);
});

test('a manager that refuses leaves no file behind, and its words are shown', async () => {
  const { run } = openNotedManager((call) =>
    call.includes('enable --now') ? { code: 1, err: 'Failed to connect to bus' } : {},
  );
  const manager = chooseServiceManager(host(run), false);
  const refused = await installService(manager, planFor(join(dir, '.svc')).plan, run).catch(
    (error: SvcError) => error.message,
  );
  assert.is(refused, 'systemctl --user enable --now svc.service failed: Failed to connect to bus');
  assert.equal(readdirSync(join(dir, '.config/systemd/user')), []);
});

test('a file of the same name that svc did not write is neither replaced nor removed', async () => {
  const { calls, run } = openNotedManager();
  const manager = chooseServiceManager(host(run), false);
  const { plan } = planFor(join(dir, '.svc'));
  const file = manager.files(plan)[0]?.path ?? '';
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '[Unit]\n');
  for (const act of [installService, uninstallService])
    assert.match(
      await act(manager, plan, run).then(String, (error: SvcError) => error.message),
      /was not written by svc service install and was not changed/,
    );
  assert.is(readFileSync(file, 'utf8'), '[Unit]\n');
  assert.equal(calls, []);
});

test('launchd: a property list that restarts failures only, bootstrapped for the user', async () => {
  const { calls, run } = openNotedManager((call) =>
    call.includes('print') ? { out: 'gui/501/dev.svc.runner = {\n\tstate = running\n}' } : {},
  );
  const manager = chooseServiceManager(host(run, 'darwin'), false);
  const { plan } = planFor(join(dir, '.svc'), { LANG: 'a&b<c>' });
  const [file = ''] = await installService(manager, plan, run);
  assert.is(file, join(dir, 'Library/LaunchAgents/dev.svc.runner.plist'));
  const plist = renderLaunchdPlist(plan);
  assert.match(plist, /<key>LANG<\/key><string>a&amp;b&lt;c&gt;<\/string>/);
  assert.match(plist, /<key>SuccessfulExit<\/key><false\/>/);
  assert.equal(await manager.state(plan), { enabled: true, running: true, word: 'running' });
  await uninstallService(manager, plan, run);
  assert.equal(calls, [
    'launchctl enable gui/501/dev.svc.runner',
    `launchctl bootstrap gui/501 ${file}`,
    'launchctl print gui/501/dev.svc.runner',
    'launchctl bootout gui/501/dev.svc.runner',
  ]);
});

test('Windows: a task at logon, as UTF-16, whose script sets the environment', async () => {
  const { calls, run } = openNotedManager((call) =>
    call.includes('/Query') ? { out: '"\\svc","N/A","Running"\r\n' } : {},
  );
  const manager = chooseServiceManager(host(run, 'win32'), false);
  const { plan } = planFor(join(dir, 'home'), { PATH: 'C:\\100%\\bin' });
  const [xml = '', script = ''] = await installService(manager, plan, run);
  assert.ok(
    readFileSync(xml)
      .subarray(0, 2)
      .equals(Buffer.from([0xff, 0xfe])),
  );
  assert.match(readFileSync(xml, 'utf16le'), /<UserId>PC\\ana<\/UserId>/);
  assert.match(readFileSync(script, 'utf8'), /^set "PATH=C:\\100%%\\bin"\r$/m);
  assert.is((await manager.state(plan)).running, true);
  assert.is(calls[0], `schtasks /Create /TN ${plan.name} /XML ${xml} /F`);
  assert.match(renderWindowsTask(plan, 'PC\\a&b', script), /PC\\a&amp;b/);
  const quoted = renderWindowsScript({
    ...plan,
    command: ['C:\\Program Files\\node.exe', 'a"b', 'c d\\'],
  });
  assert.match(quoted, /^"C:\\Program Files\\node\.exe" "a\\"b" "c d\\\\"\r$/m);
});

test('without a service manager the refusal says what else keeps svc running', () => {
  const { run } = openNotedManager();
  assert.throws(
    () => chooseServiceManager({ ...host(run), hasSystemd: false }, false),
    (error: SvcError) => /have your process manager run: svc start --no-open/.test(error.message),
  );
});

test('--dry-run shows file and commands and changes nothing', async () => {
  const line = new CommandLine({ SVC_HOME: join(dir, 'home') });
  const { code, out } = await line.run(ServiceInstallCommand, ['--dry-run']);
  assert.is(code, 0);
  assert.match(out, /^ExecStart=/m);
  assert.match(out, /enable --now svc-[0-9a-f]{8}\.service\n$/);
  assert.equal(readdirSync(dir), []);
});

test('agents run as root only where that is asked for by name', async () => {
  const line = new CommandLine({ SVC_HOME: join(dir, 'home') });
  const { code, err } = await line.run(ServiceInstallCommand, ['--dry-run', '--as', 'ana']);
  assert.is(code, 2);
  assert.match(err, /--as belongs to --system/);
  const system = await line.run(ServiceInstallCommand, ['--dry-run', '--system']);
  if (userInfo().uid === 0) assert.match(system.err, /Agents would run as root\. Name the user/);
  else assert.match(system.out, /^User=/m);
});

test('status and uninstall tell where nothing is installed', async () => {
  const line = new CommandLine({ SVC_HOME: join(dir, 'home'), HOME: dir });
  if (!existsSync('/run/systemd/system')) {
    const { code, err } = await line.run(ServiceStatusCommand, []);
    assert.match(err, /No service is installed\. .*no service manager that svc knows/);
    assert.is(code, 3);
    assert.match((await line.run(ServiceUninstallCommand, [])).err, /no service manager/);
    return;
  }
  assert.is((await line.run(ServiceStatusCommand, [])).code, 3);
  assert.match((await line.run(ServiceUninstallCommand, [])).out, /^No service of this home/);
});

test('svc service logs reads on across rotated files, and follows', async () => {
  const logs = join(dir, 'logs');
  mkdirSync(logs);
  const entry = (msg: string, level = 30) => `${JSON.stringify({ level, at: 'T', msg })}\n`;
  for (const n of [9, 10, 11])
    writeFileSync(join(logs, `runner.${n}.log`), entry(`a${n}`) + entry(`b${n}`, 40));
  const line = new CommandLine({ SVC_HOME: dir });
  assert.is(
    (await line.run(ServiceLogsCommand, ['--tail', '3'])).out,
    'T Warning: B10\nT a11\nT Warning: B11\n',
  );
  const messages: string[] = [];
  let stop = (): void => {};
  const both = new Promise<void>((resolve) => {
    void followLog(
      join(logs, 'runner.log'),
      {
        onInterrupt: (run) => {
          stop = run;
          appendFileSync(join(logs, 'runner.11.log'), entry('c11'));
          writeFileSync(join(logs, 'runner.12.log'), entry('a12'));
          return () => {};
        },
      },
      (text) => {
        messages.push(JSON.parse(text).msg);
        if (messages.length === 2) resolve();
      },
    );
  });
  await both;
  stop();
  assert.equal(messages, ['c11', 'a12']);
});

test.run();
