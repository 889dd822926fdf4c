import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';

/** A section may be left out: its defaults then apply. */
export const section = { ...closed, default: {} } as const;

/**
 * TypeBox fills in defaults within the entries of a map only where the entry has a default itself.
 */
export const entry = { default: {} } as const;

export const word = { minLength: 1, maxLength: 255 } as const;
export const folder = { minLength: 1, maxLength: 4096 } as const;

/**
 * Form of a name that the file's author makes up. A repository's slug becomes a folder's name
 * inside a job's folder.
 */
export const CHOSEN_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';
export const ChosenName = Type.String({ pattern: CHOSEN_NAME });

/**
 * What is never shown of a value. `true`: all of it, in lists and objects every text. `url`: name,
 * password and query of an address. `handed`: all of it too, of what a tool server gets, which is
 * screened whatever its name. `whole`: all of it, screened as one text, also of an address. `arguments`: what stands behind flags such as `--token`, and what
 * looks like a secret. What no schema describes counts as `true`.
 */
type SecretKind = true | 'handed' | 'whole' | 'url' | 'arguments';

/** Marks a schema: its values are hidden where they are shown. */
export const markSecret = (kind: SecretKind): { secret: SecretKind } => ({ secret: kind });

/** A text that is never shown. Empty means none. */
export const Secret = (description: string) =>
  Type.String({ maxLength: 8192, ...markSecret(true), description });

/** A variable or a header of a tool server; never shown. */
export const HandedSecret = (description: string) =>
  Type.String({ maxLength: 8192, ...markSecret('handed'), description });

/** An address; name, password and query in it are never shown. Empty means none. */
export const Address = (description: string) =>
  Type.String({ maxLength: 4096, ...markSecret('url'), description });

/** Params of jobs that svc creates by itself. */
export const JobParams = (description: string) =>
  Type.Record(
    Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
    Type.Union(
      [
        Type.String({ maxLength: 4096 }),
        Type.Number(),
        Type.Boolean(),
        Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 100 }),
      ],
      { description: 'a text, a number, true or false, or a list of texts' },
    ),
    { default: {}, description },
  );
