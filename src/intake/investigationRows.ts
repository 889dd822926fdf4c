import { joinIntoOneLine, shorten } from '../base/text/clip.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { Pin } from './tools/pins.ts';

export type InvestigationRow = Tables['investigations'];
export type TurnRow = Tables['investigation_turns'];
export type EvidenceRow = Tables['investigation_evidence'];

/** Longest title made from a message, characters. */
const TITLE_CHARS = 100;

/** The first line with a text. */
export const deriveChatTitle = (message: string): string => {
  const line = message.split('\n').find((one) => one.trim() !== '') ?? '';
  return shorten(joinIntoOneLine(line), TITLE_CHARS) || 'Chat';
};

export const createInvestigationRow = (
  id: string,
  message: string,
  at: number,
): InvestigationRow => ({
  id,
  title: deriveChatTitle(message),
  created_at: at,
  updated_at: at,
  repo: null,
  pins: '[]',
  provider: null,
  model: null,
  readiness_state: null,
  readiness: null,
  run: null,
  findings: null,
  findings_sha: null,
  findings_by: null,
  findings_cut: 0,
  findings_proposed: null,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  context_tokens: null,
  unpriced_turns: 0,
  lookups: 0,
  turns: 0,
  job_ids: '[]',
  resume: null,
  folded_to: 0,
  summary: null,
  items: '[]',
});

export const createTurnRow = (
  turn: Pick<TurnRow, 'investigation' | 'n' | 'at' | 'message' | 'state' | 'provider' | 'model'> &
    Partial<TurnRow>,
): TurnRow => ({
  ended_at: null,
  answer: '',
  thinking: '',
  context: '{}',
  error: null,
  reason: null,
  rounds: 0,
  usage: null,
  replay: null,
  ...turn,
});

/** Only for JSON that svc has written. */
export const parseStoredJson = <T>(text: string): T => JSON.parse(text) as T;

export const readPins = ({ pins }: Pick<InvestigationRow, 'pins'>): Pin[] =>
  parseStoredJson<Pin[]>(pins);
