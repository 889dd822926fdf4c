import Type from 'typebox';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LAP_LIMITS,
  DEFAULT_START_LIMIT,
  type LapRule,
} from '../../domain/lapLimits.ts';
import { section } from './fieldSchemas.ts';

/** Highest limit of any of these rules. */
const MAX_TIMES = 1_000;

const times = (usual: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_TIMES, default: usual, description });

const lap = (rule: LapRule, description: string) =>
  Type.Object(
    {
      warn: times(
        DEFAULT_LAP_LIMITS[rule].warn,
        'At which time the agent of the next session is warned; 0 = never.',
      ),
      park: times(
        DEFAULT_LAP_LIMITS[rule].park,
        'At which time the job is parked for a developer; 0 = never.',
      ),
    },
    { ...section, description },
  );

export const NoProgress = Type.Object(
  {
    state: lap(
      'state',
      'A phase ends with the same files, pull requests, work items and parameters as before.',
    ),
    tests: lap('tests', 'A phase ends with the same failing tests as before.'),
    wakes: lap('wakes', 'An event has woken the job, and it waits again with nothing changed.'),
    starts: Type.Object(
      {
        warn: times(
          DEFAULT_START_LIMIT.warn,
          'At which of them the log of its job warns; 0 = never.',
        ),
        park: times(
          DEFAULT_START_LIMIT.park,
          'At which of them the jobs of the account wait; 0 = never.',
        ),
      },
      {
        ...section,
        description:
          'Sessions of one account, of at least two jobs, that end one after another within 20 seconds with an error.',
      },
    ),
    session: Type.Object(
      {
        calls: times(
          DEFAULT_CALL_LIMITS.calls,
          'The same call of a tool with the same answer; 0 = never.',
        ),
        errors: times(DEFAULT_CALL_LIMITS.errors, 'The same error of a tool; 0 = never.'),
        pingPong: times(DEFAULT_CALL_LIMITS.pingPong, 'The same two calls in turn; 0 = never.'),
        silence: times(
          DEFAULT_CALL_LIMITS.silence,
          'Turns in sequence without any call of a tool; 0 = never.',
        ),
        folds: times(
          DEFAULT_CALL_LIMITS.folds,
          'The conversation is folded and less than a tenth of it is freed, in sequence; 0 = never.',
        ),
      },
      {
        ...section,
        description:
          'After how many repetitions within a session its agent is warned. Nothing is stopped: a session ends at the limits of its turn and budget.',
      },
    ),
  },
  {
    ...section,
    title: 'Jobs that go round without progress',
    description:
      'What a person does, a merge and a closed work item set the counts to zero. The limits of a job are those of the time at which it was made.',
  },
);
