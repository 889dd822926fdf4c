import type { PluginSetting, PluginView } from '../../src/contract/schema/runner/plugin.ts';
import type { FormError } from '../form/createForm.ts';
import {
  type FormField,
  type FormSchema,
  buildFormField,
  toFieldPointer,
} from '../form/formSchema.ts';

const toSettingSchema = ({
  type,
  description,
  secret,
  default: preset,
  enum: choices,
}: PluginSetting) =>
  ({
    type,
    description,
    ...(secret ? { secret: true } : {}),
    ...(preset === undefined ? {} : { default: preset }),
    ...(choices ? { enum: choices } : {}),
  }) satisfies FormSchema;

export function buildPluginForm({ settings }: PluginView): FormField {
  const entries = Object.entries(settings);
  return buildFormField(
    {
      type: 'object',
      properties: {
        enabled: {
          type: 'boolean',
          title: 'The runner uses it',
          default: true,
        },
        ...(entries.length === 0
          ? {}
          : {
              config: {
                type: 'object',
                title: 'Its own settings',
                properties: Object.fromEntries(
                  entries.map(([name, setting]) => [name, toSettingSchema(setting)]),
                ),
                required: entries.filter(([, { required }]) => required).map(([name]) => name),
              },
            }),
        allowHosts: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 100,
          title: 'Hosts it may connect to',
          description:
            'Of this machine and its network, without a port. Others are always allowed.',
        },
      },
    },
    [],
  );
}

export function readPluginEntry(config: Readonly<Record<string, unknown>>, id: string): unknown {
  const { installed } = Object(config.plugins);
  return Object.hasOwn(Object(installed), id) ? installed[id] : {};
}

/** Errors of a configuration change, moved to the fields of the plugin's form. */
export function pickPluginErrors(errors: readonly FormError[], id: string): FormError[] {
  const start = toFieldPointer(['plugins', 'installed', id]);
  return errors
    .filter(({ pointer }) => pointer === start || pointer.startsWith(`${start}/`))
    .map(({ pointer, message }) => ({ pointer: pointer.slice(start.length), message }));
}
