import type { NewsScreen } from '../../policy/decisions/newsScreen.ts';
import type { Kernel } from '../../contract/records/changes.ts';

/**
 * The kernel for what reports news: the decision layer sees the news first, and its records are in
 * the same commit. News that it was not asked about are reported unchanged.
 */
export const withNewsScreen = (
  kernel: Pick<Kernel, 'submit'>,
  screen: NewsScreen,
): Pick<Kernel, 'submit'> => ({
  async submit(work) {
    const { sends = [], rows = [], frames = [] } = work;
    if (sends.length === 0) return kernel.submit(work);
    const screenedNews = await screen(sends);
    return kernel.submit({
      ...work,
      sends: screenedNews.sends,
      rows: [...rows, ...screenedNews.rows],
      frames: [...frames, ...(screenedNews.frames ?? [])],
    });
  },
});
