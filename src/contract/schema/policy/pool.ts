import Type from 'typebox';
import { CLOSED_KINDS } from '../../../base/agents/quotaKinds.ts';
import { describe, IsoTime } from '../kit/schemaKit.ts';

/** One account at the endpoint of a model, and how its limits are. */
export const Pool = Type.Object({
  id: Type.String({ description: 'Its name for commands.' }),
  kind: Type.String({ description: 'API that the endpoint speaks, such as `anthropic`.' }),
  origin: Type.String({ description: 'Origin of the endpoint.' }),
  account: Type.String({
    description: "The first 12 hex digits of the key's SHA-256; `none` where no key is set.",
  }),
  state: Type.Enum(['open', 'throttled', 'exhausted', 'billing', 'failing', 'probing', 'waking'], {
    description: 'Whether sessions start: in `open` all do, in `probing` one, in `waking` some.',
  }),
  limit: Type.Union(
    [
      Type.Object({
        kind: Type.Enum(CLOSED_KINDS, {
          description:
            'Which limit was met. `billing`: the account is unpaid, and waiting does not help. `failing`: not a limit, but its sessions end immediately with an error.',
        }),
        window: Type.Union([Type.String(), Type.Null()], {
          description: 'What is limited, such as `5 hours`; null = it is not known.',
        }),
        since: describe(IsoTime, 'When it was met first.'),
        until: Type.Union([IsoTime, Type.Null()], {
          description: 'When it is tried again; null = when a person opens the account.',
        }),
        error: Type.Optional(
          Type.String({ description: 'Of `failing`: how its last session has ended.' }),
        ),
      }),
      Type.Null(),
    ],
    { description: 'The limit that holds; null = none does.' },
  ),
  used: Type.Union([Type.Number(), Type.Null()], {
    description: 'Part of the fullest window that is used, from 0 to 1; null = it is not known.',
  }),
  waiting: Type.Integer({ description: 'Jobs that wait for it.' }),
});
export type Pool = Type.Static<typeof Pool>;

export const PoolList = Type.Array(Pool);

export const PoolToOpen = Type.Object({
  pool: Type.String({ minLength: 1, description: 'Id of the account.' }),
});
export type PoolToOpen = Type.Static<typeof PoolToOpen>;
