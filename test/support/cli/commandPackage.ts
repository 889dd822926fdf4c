/** A package with the command `hello world`. `more` replaces members of its package.json. */
export const commandPackage = (
  more: Record<string, unknown> = {},
  command = HELLO,
): Record<string, string> => ({
  'package.json': JSON.stringify({
    name: '@acme/svc-commands',
    version: '1.0.0',
    type: 'module',
    oclif: { commands: './commands' },
    ...more,
  }),
  'oclif.manifest.json': createManifest({ 'hello:world': {} }),
  'commands/hello/world.js': command,
});

/** A command as oclif takes it, without oclif. */
export const HELLO = `export default class Hello {
  static async run(argv, config) { console.log(['hello', ...argv, 'of', config.name].join(' ')); }
}`;

export const createManifest = (
  commands: Record<string, Record<string, unknown>>,
  version = '1.0.0',
): string =>
  JSON.stringify({
    version,
    commands: Object.fromEntries(
      Object.entries(commands).map(([id, more]) => [
        id,
        {
          id,
          aliases: [],
          hiddenAliases: [],
          args: {},
          flags: {},
          summary: 'Says hello.',
          isESM: true,
          strict: false,
          ...more,
        },
      ]),
    ),
  });
