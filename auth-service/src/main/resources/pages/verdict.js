// One sentence on the last ten seconds: whether logins were answered and, if not, why not.

const SPAN = 10_000;

/** @returns whether it is bad; the sentence; and the same without figures, for screen readers */
export function verdict(history) {
  const now = history.latest;
  const before = history.before(SPAN);
  const seconds = (now.at - before.at) / 1000;
  const grown = outcome => Math.max(0, (now.logins[outcome] ?? 0) - (before.logins[outcome] ?? 0));
  const all = Object.keys(now.logins).reduce((sum, outcome) => sum + grown(outcome), 0);
  if (!(seconds > 0) || all === 0) {
    return said(false, 'No logins in the last 10 seconds');
  }
  const rate = count => (count / seconds).toFixed(1);
  const failed = grown('failed');
  if (failed > 0) {
    return said(true, `${rate(failed)} of ${rate(all)} logins a second failed: see the service's log`, 'Logins fail');
  }
  const shed = grown('shed');
  if (shed > 0) {
    const why = `${queue(now.pool)}, ${elsewhere(now)}`;
    return said(true, `${rate(shed)} of ${rate(all)} logins a second refused: ${why}`, `Logins are refused: ${why}`);
  }
  return said(false, 'All logins answered');
}

function said(bad, words, told = words) {
  return { bad, words, told };
}

function queue(pool) {
  return pool.used >= pool.permits ? 'pool full' : 'pool full at times';
}

/** Why functions did not take what the pool could not. */
function elsewhere({ spill: { targets }, spend }) {
  if (targets.length === 0) {
    return 'nowhere to spill';
  }
  if (spend.stopped) {
    return 'spilling is stopped';
  }
  if (Object.values(spend.share).some(share => share >= 1)) {
    return 'the spending limit is reached';
  }
  if (targets.every(target => target.cooling || target.misconfigured)) {
    return 'the functions fail';
  }
  if (targets.every(target => target.cooling || target.misconfigured || target.pending >= target.most)) {
    return 'the functions are full';
  }
  return 'the functions did not take the rest';
}
