import { flattenTypes } from './flattenTypes.ts';

export const PLUGIN_TYPES_FILE = 'src/plugins/scaffold/pluginTypes.generated.ts';

const CONTRACT = 'src/contract/runner/plugin.ts';

const INTRODUCTION = `// The contract between svc and its plugins, version 1.
// Written by \`svc plugin init\`; do not change it.
`;

/** The contract between svc and its plugins in one file, as a module that exports the text. */
export function pluginTypesFile(): string {
  const types = flattenTypes(
    [
      { file: CONTRACT, names: ['definePlugin', 'PluginOf', 'Plugin'] },
      { file: 'src/contract/session/executor.ts', names: ['KICKOFF'] },
    ],
    {
      // The rest of the contract is for trackers that are part of svc.
      TrackerContext: `/** What a tracker plugin is given. */
export type TrackerContext = PluginContext;`,
    },
  );
  const text = `${INTRODUCTION}\n${types}`.replace(/[\\`]|\$\{/g, '\\$&');
  return `// Generated from ${CONTRACT} by npm run reference; do not edit.

/** The contract between svc and its plugins as one TypeScript file. */
export const PLUGIN_TYPES = \`${text}\`;
`;
}
