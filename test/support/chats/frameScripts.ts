import type { ChatResult } from '../../../src/contract/planning/chat.ts';
import type { ChatScript, ScriptedTurn } from './scriptedChat.ts';

const FAULTS = ['none', 'again', 'throws', 'quota', 'error', 'cut', 'refusal', 'stopped'] as const;
type Fault = (typeof FAULTS)[number];

/** Rounds of look-ups before the answer is over. */
const ROUNDS = [0, 1, 2, 3, 7, 12, 25, 30] as const;

export interface FrameScript {
  name: string;
  play: ChatScript;
}

const ENDS: Partial<Record<Fault, Partial<ChatResult>>> = {
  quota: { stop: 'quota', error: 'The quota is used up.' },
  error: { stop: 'error', error: 'The endpoint has answered with 500.' },
  cut: { stop: 'cut' },
  refusal: { stop: 'refusal' },
  stopped: { stop: 'interrupted' },
};

async function oneRound({ look, say, part }: ScriptedTurn, round: number): Promise<void> {
  if (round % 3 === 0) part({ type: 'thinking', text: `thought ${round}` });
  if (round % 2 === 0) say(`Look ${round}. `);
  const path = round % 5 === 4 ? 'missing.ts' : `src/${round}.ts`;
  await look('scm_read_file', { path, trust: round % 4 === 3 ? 'outside' : 'own' });
  if (round % 6 === 5) part({ type: 'note', text: 'waiting for the endpoint' });
}

const createFrameScript =
  (rounds: number, fault: Fault): ChatScript =>
  async (turn) => {
    for (let round = 0; round < rounds; round++) await oneRound(turn, round);
    turn.say('The answer');
    if (fault === 'again') {
      turn.part({ type: 'again' });
      turn.say('The answer, whole');
    }
    if (fault === 'throws') throw new Error('the executor broke');
    turn.say('.');
    return { rounds, ...(ENDS[fault] ?? (rounds >= 25 ? { stop: 'rounds' } : {})) };
  };

/** Turns with and without look-ups, thoughts and notes, each with every fault at its end. */
export const frameScripts: readonly FrameScript[] = ROUNDS.flatMap((rounds) =>
  FAULTS.map((fault) => ({
    name: `${rounds} rounds, ${fault}`,
    play: createFrameScript(rounds, fault),
  })),
);
