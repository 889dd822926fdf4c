import { isDeepStrictEqual } from 'node:util';
import { SvcError } from '../base/errors/errors.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';
import type { BuiltInForgePlugin, ForgeContext, OwnForge } from '../contract/forge/builtInForge.ts';
import type { Plugin, PluginContext, PluginOf, TrackerContext } from '../contract/runner/plugin.ts';

const METHODS: Readonly<Record<PluginManifest['kind'], readonly string[]>> = {
  executor: ['run'],
  scm: [
    'self',
    'repository',
    'pullRequests',
    'pullRequest',
    'diff',
    'createPullRequest',
    'comment',
    'approve',
    'merge',
  ],
  tracker: ['issue', 'comments', 'search', 'comment', 'transition'],
  decider: ['decide'],
  // Has no contract; a manifest that names it is refused.
  observability: [],
};

const createManifestLieError = (what: string): SvcError =>
  new SvcError('invalid', `The plugin does not match its manifest: ${what}`);

const hasMethod = (value: object, name: string): boolean =>
  typeof Reflect.get(value, name) === 'function';

/**
 * The default export of an entry as a plugin of the manifest's kind. Throws SvcError `invalid` for
 * anything else.
 */
export function toPlugin(moduleExport: unknown, { kind, entry }: PluginManifest): Plugin {
  if (
    typeof moduleExport !== 'object' ||
    moduleExport === null ||
    !('kind' in moduleExport) ||
    !hasMethod(moduleExport, 'create')
  ) {
    throw createManifestLieError(
      `${entry} has no default export made by definePlugin({ kind, create }).`,
    );
  }
  if (moduleExport.kind !== kind)
    throw createManifestLieError(
      `the manifest says kind ${kind}, the code ${JSON.stringify(moduleExport.kind)}.`,
    );
  // Shape and kind were checked above; checkInstance checks what create() returns.
  return moduleExport as Plugin;
}

function checkInstance(manifest: PluginManifest, instance: unknown): void {
  const { kind, capabilities, offers = [] } = manifest;
  if (typeof instance !== 'object' || instance === null)
    throw createManifestLieError('create() did not return an object.');
  // The login of an executor is an object with its own methods.
  const methods = offers.filter((offer) => offer !== 'login');
  const missing = [...METHODS[kind], ...methods].filter((name) => !hasMethod(instance, name));
  if (missing.length > 0)
    throw createManifestLieError(
      `the result of create() has no ${missing.map((name) => `${name}()`).join(', ')}.`,
    );
  const login: unknown = Reflect.get(instance, 'login');
  const hasLogin =
    typeof login === 'object' &&
    login !== null &&
    hasMethod(login, 'start') &&
    hasMethod(login, 'complete');
  if (offers.includes('login') && !hasLogin)
    throw createManifestLieError(
      'the result of create() has no login with start() and complete().',
    );
  if (
    kind === 'executor' &&
    !(
      'capabilities' in instance &&
      isDeepStrictEqual({ ...Object(instance.capabilities) }, capabilities)
    )
  )
    throw createManifestLieError('the capabilities of the code do not match svc.capabilities.');
}

type ContextOf<Kind extends Plugin['kind']> = Kind extends 'tracker'
  ? TrackerContext
  : PluginContext;
type InstanceOf<Kind extends Plugin['kind']> = Awaited<ReturnType<PluginOf<Kind>['create']>>;

/** Creates the plugin, built-in or installed, and checks whether it matches its manifest. */
export async function openPlugin<Kind extends Plugin['kind']>(
  plugin: {
    kind: Kind;
    create(context: ContextOf<Kind>): InstanceOf<Kind> | Promise<InstanceOf<Kind>>;
  },
  manifest: PluginManifest,
  context: ContextOf<Kind>,
): Promise<InstanceOf<Kind>> {
  const instance = await plugin.create(context);
  checkInstance(manifest, instance);
  return instance;
}

/** Creates a forge that is part of svc. Throws SvcError `invalid` for one with another id. */
export async function openForge(
  plugin: BuiltInForgePlugin,
  { id }: PluginManifest,
  context: ForgeContext,
): Promise<OwnForge> {
  const forge = await plugin.create(context);
  if (forge.id !== id)
    throw createManifestLieError(`the forge calls itself ${forge.id}, not ${id}.`);
  return forge;
}
