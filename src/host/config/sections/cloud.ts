import Type from 'typebox';
import { Address, Secret, section } from './fieldSchemas.ts';

/** Most homes of others that one runner continues at the same time; the channel takes no more. */
const MAX_ADOPTED_HOMES = 16;

/** A word such as `linux` or `gpu`, which dispatches ask for. */
export const LABEL = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

export const Cloud = Type.Object(
  {
    url: Type.Optional(Address('Address of the control plane.')),
    token: Type.Optional(Secret("The runner's token there; svc login writes it.")),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Name of this runner in the team. Default: the host name.',
      }),
    ),
    labels: Type.Array(Type.String({ pattern: LABEL }), {
      maxItems: 32,
      default: [],
      description: 'What this machine has, such as linux or gpu; a dispatch can ask for it.',
    }),
    accept: Type.Optional(
      Type.Enum(['own', 'team', 'none'], {
        description:
          "Whose jobs run here when they come through the control plane: only those of this runner's owner (own), those of everyone in the team (team), or none. Default: own, and team for a runner of the pool.",
      }),
    ),
    adoptSlots: Type.Integer({
      minimum: 0,
      maximum: MAX_ADOPTED_HOMES,
      default: 1,
      description:
        'How many homes of lost runners of the team this one continues at the same time, each in a process of its own with one slot. 0: none. cloud.accept says whose.',
    }),
    lostWork: Type.Enum(['continue', 'ask'], {
      default: 'continue',
      description:
        'What a job does that this machine takes over from one that is lost, with commits there that were not pushed or files that were not committed: continue in a fresh clone at what was pushed, or park and ask.',
    }),
    wipRef: Type.Boolean({
      default: false,
      description:
        'Whether the files of a job are pushed to refs/svc/wip/<job> of its repository at the end of each session, so that another machine can continue with them. They are searched for secrets first. The ref is removed when the job has ended.',
    }),
  },
  { ...section, title: 'Control plane; url and token together make the mode hybrid' },
);
