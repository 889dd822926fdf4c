import type { Context } from 'koa';
import type { ReplyOf } from '../../../contract/routes/route.ts';

/** A line of text with which a route of JSON answers instead, where its table says when: `plainText`. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What the handler of a route of JSON gives. */
export type ReplyOrText<Data> =
  | ReplyOf<Data>
  | (Data extends { plainText: string } ? PlainText : never);

/** As text and nothing else: every reply has the header that keeps browsers from guessing a type. */
export function sendPlainText(ctx: Context, { text }: PlainText): void {
  ctx.status = 200;
  ctx.type = 'text/plain';
  ctx.body = text;
}
