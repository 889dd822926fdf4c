import Type from 'typebox';
import { CLOSED_KINDS } from '../../../shared/agents/quotaKinds.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';

/** One account at the endpoint of a model, and how its limits are. */
export const Pool = describeMembers(
  Type.Object({
    id: Type.String(),
    kind: Type.String(),
    origin: Type.String(),
    account: Type.String(),
    state: Type.Enum(['open', 'throttled', 'exhausted', 'billing', 'failing', 'probing', 'waking']),
    limit: Type.Union([
      describeMembers(
        Type.Object({
          kind: Type.Enum(CLOSED_KINDS),
          window: Type.Union([Type.String(), Type.Null()]),
          since: IsoTime,
          until: Type.Union([IsoTime, Type.Null()]),
          error: Type.Optional(Type.String()),
        }),
        {
          kind: 'Which limit was met. `billing`: the account is unpaid, and waiting does not help. `failing`: not a limit, but its sessions end immediately with an error.',
          window: 'What is limited, such as `5 hours`; null = it is not known.',
          since: 'When it was met first.',
          until: 'When it is tried again; null = when a person has opened the pool.',
          error: 'Of `failing`: how its last session has ended.',
        },
      ),
      Type.Null(),
    ]),
    used: Type.Union([Type.Number(), Type.Null()]),
    waiting: Type.Integer(),
  }),
  {
    id: 'Its name for commands.',
    kind: 'API that the endpoint speaks, such as `anthropic`.',
    origin: 'Origin of the endpoint.',
    account: "The first 12 hex digits of the key's SHA-256; `none` where no key is set.",
    state: 'Whether sessions start: in `open` all do, in `probing` one, in `waking` some.',
    limit: 'The limit that holds; null = none does.',
    used: 'Part of the fullest window that is used, from 0 to 1; null = it is not known.',
    waiting: 'Jobs that wait for it.',
  },
);
export type Pool = Type.Static<typeof Pool>;

export const PoolList = Type.Array(Pool);

export const PoolToOpen = describeMembers(Type.Object({ pool: Type.String({ minLength: 1 }) }), {
  pool: 'Id of the pool.',
});
export type PoolToOpen = Type.Static<typeof PoolToOpen>;
