import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { ChosenName, section, word } from './fieldSchemas.ts';

const ModelAliasConfig = Type.Object(
  {
    provider: Type.Optional(
      Type.String({ ...word, description: 'Executor plugin id. Default: llm.defaultProvider.' }),
    ),
    model: Type.String({ ...word, description: 'Model id as the provider names it.' }),
    reasoningEffort: Type.Optional(
      Type.String({ ...word, description: 'Passed on to the provider.' }),
    ),
    fallback: Type.Optional(
      Type.String({
        ...word,
        description:
          'Alias with another provider, with which phases begin while the account of this one is exhausted. Default: none; they wait.',
      }),
    ),
  },
  closed,
);

export const Llm = Type.Object(
  {
    defaultProvider: Type.String({
      ...word,
      default: 'command',
      description: 'Executor for phases that name none.',
    }),
    aliases: Type.Record(ChosenName, ModelAliasConfig, {
      default: {},
      description: 'Model names for phases. planning and coding always exist.',
    }),
  },
  { ...section, title: 'Models' },
);
