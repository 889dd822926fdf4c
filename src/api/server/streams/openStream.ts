import type Koa from 'koa';

export function openStream(ctx: Koa.Context): void {
  ctx.body = '';
  ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  ctx.remove('Content-Length');
}
