/** What `visibleText` writes for characters that a person would not see. */
const INVISIBLE = /\[invisible: (?!U\+FEFF\])/;

/** Words by which a text speaks to a model instead of to people. */
const TO_A_MODEL = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,40}\b(?:instruction|prompt|rule|message)s?/is,
  /\b(?:system|developer)\s+(?:prompt|message|override|notice)\b/i,
  /\byou are (?:now|no longer)\b/i,
  /\b(?:as|dear|attention,?)\s+(?:an?\s+)?(?:AI|LLM|language model|assistant|agent)\b/i,
  /\b(?:AI|LLM|assistant|agent|model)s?\b.{0,30}\b(?:must|should|has to|have to|shall)\b/i,
  /<\s*\/?\s*(?:evidence|findings|readiness|run|system|assistant|tool_result|function_calls)\b/i,
  /\b(?:autoApprove|auto-approve|bypassPermissions|dangerously)\b/i,
  // In a file each line begins with its number.
  /^(?:\d+\t)?\s*(?:assistant|system|human|user)\s*:/im,
  /<\|(?:im_start|im_end|system|endoftext)\|>/i,
  /\bdo not (?:tell|mention|show|inform)\b.{0,40}\b(?:user|developer|person|anyone)\b/is,
];

/**
 * Whether a text, made visible, could be meant for a model: it hides characters or speaks to one.
 * It is then marked as from outside, no matter who owns the file. That takes nothing away: the text is
 * shown, a run that follows asks once more. What it does not find is no proof of anything.
 */
export const looksPlanted = (visible: string): boolean =>
  INVISIBLE.test(visible) || TO_A_MODEL.some((sign) => sign.test(visible));
