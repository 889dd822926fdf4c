import Type from 'typebox';
import { SANDBOX_PROFILES } from '../../../base/agents/sandboxProfiles.ts';
import { describe } from '../kit/schemaKit.ts';
import { Usage } from './usage.ts';

/** Tokens of a session. */
export const PhaseUsage = Type.Object({
  phase: Type.String({ description: 'The phase.' }),
  visit: Type.Integer({ description: 'The visit of the phase.' }),
  session: Type.Integer({ description: 'The session within the visit.' }),
  usage: describe(Usage, 'Tokens of that session.'),
});
export type PhaseUsage = Type.Static<typeof PhaseUsage>;

/** What confined a session. */
export const SessionConfinement = Type.Object({
  visit: Type.Integer({ description: 'The visit of the phase.' }),
  session: Type.Integer({ description: 'The session within the visit.' }),
  state: Type.Enum([...SANDBOX_PROFILES, 'none'], {
    description: 'What confined it; none = it was not confined.',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it was not confined; null where it was.',
  }),
});
export type SessionConfinement = Type.Static<typeof SessionConfinement>;
