import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Machine } from './machine.ts';

const COMPILER = resolve('node_modules/typescript/bin/tsc');

/** A plugin of someone who has the package among their packages. */
const PLUGIN = `import { definePlugin, type Plugin, type PluginExecutor } from '@svc/runner';
export const kinds: Plugin['kind'][] = ['executor', 'scm', 'tracker', 'decider'];
export default definePlugin<'executor'>({
  kind: 'executor',
  create: (context): PluginExecutor => { throw new Error(String(context.config['key'])); },
});
`;

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
  },
};

/** Commands that need neither a runner nor a configuration. */
export async function firstCommands(machine: Machine, version: string): Promise<string> {
  const versionText = await machine.svc(['--version']);
  if (versionText !== `svc ${version}\n`) throw new Error(`svc --version says ${versionText}`);
  const help = await machine.svc(['help']);
  if (!/^TOPICS$/m.test(help)) throw new Error(`svc help says ${help}`);
  await machine.svc(['completion', 'bash']);
  await machine.svc(['plugin', 'init', 'greeter']);
  const { err } = await machine.run('svc', ['nope']);
  if (!err.includes('nope is not an svc command')) throw new Error(`svc nope says ${err}`);
  const node = await machine.run('node', ['--version']);
  return `${versionText.trim()} on Node ${node.out.trim()}`;
}

/** Commands by every way that loads them; throws for a warning of Node or oclif. */
export async function printsNoWarning(machine: Machine): Promise<string> {
  const lines = [['help'], ['jobs', '--help'], ['plugin', 'list'], ['plugins'], ['nope']];
  for (const line of lines) {
    const { err } = await machine.run('svc', line);
    if (/warning|\(node:\d+\)/i.test(err)) throw new Error(`svc ${line.join(' ')} says ${err}`);
  }
  return `${lines.length} commands without a warning`;
}

/** What `import` and `require` give of the installed package. */
export async function imports(machine: Machine): Promise<string> {
  const project = join(machine.root, 'project');
  mkdirSync(join(project, 'node_modules', '@svc'), { recursive: true });
  symlinkSync(machine.program, join(project, 'node_modules', '@svc', 'runner'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(CONFIG));
  writeFileSync(join(project, 'index.ts'), PLUGIN);
  const compiled = await machine.run('node', [COMPILER, '-p', '.'], project);
  if (compiled.code !== 0) throw new Error(`a plugin does not compile:\n${compiled.out}`);
  const script = `import { KICKOFF } from '@svc/runner';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    let inside = 'closed';
    try { require.resolve('@svc/runner/dist/runner/main.js'); inside = 'open'; } catch {}
    console.log(KICKOFF, require('@svc/runner/package.json').version, inside);`;
  writeFileSync(join(project, 'index.js'), script);
  const { out, err } = await machine.run('node', ['index.js'], project);
  const { version } = JSON.parse(readFileSync(join(machine.program, 'package.json'), 'utf8'));
  if (out !== `kickoff ${version} closed\n`) throw new Error(`import gives ${out}${err}`);
  return 'a plugin compiles against the types; what is inside is closed';
}
