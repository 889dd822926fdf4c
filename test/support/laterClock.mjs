/** Loaded before a program (`node --import`): its clock is LATER_MS ahead of the machine's. */
const ahead = Number(process.env.LATER_MS ?? 0);
const now = () => performance.timeOrigin + performance.now() + ahead;

globalThis.Date = class extends Date {
  constructor(...time) {
    if (time.length === 0) super(now());
    else super(...time);
  }

  static now() {
    return Math.floor(now());
  }
};
