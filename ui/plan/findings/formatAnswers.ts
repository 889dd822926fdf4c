/** One message with all answers, each below its question; empty where nothing is answered. */
export const formatAnswers = (answers: readonly { question: string; answer: string }[]): string =>
  answers
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) => `> ${question.replaceAll('\n', '\n> ')}\n\n${answer.trim()}`)
    .join('\n\n');
