import Type from 'typebox';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LOOP_LIMITS,
  DEFAULT_START_LIMIT,
  type LoopRule,
} from '../../../base/limits/loopLimits.ts';
import { section } from './fieldSchemas.ts';

const MAX_TIMES = 1_000;

const createTimesSchema = (usual: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_TIMES, default: usual, description });

const createLoopRuleSchema = (rule: LoopRule, description: string) =>
  Type.Object(
    {
      warn: createTimesSchema(
        DEFAULT_LOOP_LIMITS[rule].warn,
        'At which repetition the agent of the next session is warned; 0 = never.',
      ),
      park: createTimesSchema(
        DEFAULT_LOOP_LIMITS[rule].park,
        'At which repetition the job is parked for a developer; 0 = never.',
      ),
    },
    { ...section, description },
  );

export const NoProgress = Type.Object(
  {
    state: createLoopRuleSchema(
      'state',
      'A phase ends with the same files, pull requests, work items and parameters as before.',
    ),
    tests: createLoopRuleSchema('tests', 'A phase ends with the same failing tests as before.'),
    wakes: createLoopRuleSchema(
      'wakes',
      'An event has woken the job, and it waits again with nothing changed.',
    ),
    starts: Type.Object(
      {
        warn: createTimesSchema(
          DEFAULT_START_LIMIT.warn,
          'At which of them the log of its job warns; 0 = never.',
        ),
        park: createTimesSchema(
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
        calls: createTimesSchema(
          DEFAULT_CALL_LIMITS.calls,
          'The same call of a tool with the same answer; 0 = never.',
        ),
        errors: createTimesSchema(
          DEFAULT_CALL_LIMITS.errors,
          'The same error of a tool; 0 = never.',
        ),
        pingPong: createTimesSchema(
          DEFAULT_CALL_LIMITS.pingPong,
          'The same two calls in turn; 0 = never.',
        ),
        silence: createTimesSchema(
          DEFAULT_CALL_LIMITS.silence,
          'Turns in sequence without any call of a tool; 0 = never.',
        ),
        folds: createTimesSchema(
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
    title: 'Jobs that loop without progress',
    description:
      'What a person does, a merge and a closed work item set the counts to zero. The limits of a job are those of the time at which it was made.',
  },
);
