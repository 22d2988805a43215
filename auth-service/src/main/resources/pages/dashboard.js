import { History, latencies, quantile, time } from './figures.js';
import { signIn } from './sign-in.js';
import { read } from './stream.js';
import { verdict } from './verdict.js';

const AGAIN = 2000;
const byId = id => document.getElementById(id);
const history = new History();
let token;

signIn(byId('sign-in'), granted => {
  token = granted.access_token;
  byId('entry').hidden = true;
  look();
});
look();

/** Looks on for as long as it can; a service that is gone may come back. */
async function look() {
  try {
    const answer = await fetch('/q/dashboard/events', {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      cache: 'no-store',
    });
    if (answer.status === 401 || answer.status === 403) {
      ask(answer.status === 403 ? 'This login is not an admin.' : token && 'The sign-in has expired.');
      return;
    }
    if (!answer.ok) {
      state(answer.status === 503 ? 'No place for another viewer; trying again' : `The service answers ${answer.status}`);
    } else {
      await read(answer, data => show(JSON.parse(data)));
      state('Disconnected; trying again');
    }
  } catch {
    state('Disconnected; trying again');
  }
  byId('figures').classList.add('late');
  setTimeout(look, AGAIN);
}

/** @param error what is said at the form; nothing on the first visit */
function ask(error) {
  token = undefined;
  state(error ? 'Signed out' : 'Sign in to see the figures');
  byId('sign-in-error').textContent = error ?? '';
  byId('figures').hidden = true;
  byId('entry').hidden = false;
  byId('login').focus();
}

/** It is announced, so it is written when it changes only. */
function state(words) {
  if (byId('state').textContent !== words) {
    byId('state').textContent = words;
  }
}

function show(sample) {
  history.add(sample);
  state('Live');
  text('up', `up ${Math.floor(sample.up / 3600)} h ${Math.floor(sample.up / 60) % 60} min`);
  byId('figures').hidden = false;
  byId('figures').classList.remove('late');
  judge();
  pool(sample.pool);
  cpu(sample.pool);
  hashes();
  logins(sample);
  latency();
  spill(sample.spill);
  spend(sample.spend);
}

/** The figures in it change each second; the words are announced, so without figures. */
function judge() {
  const { bad, words, told } = verdict(history);
  text('verdict', words);
  byId('verdict').classList.toggle('bad', bad);
  if (byId('verdict-told').textContent !== told) {
    text('verdict-told', told);
  }
}

function pool(now) {
  const before = history.before(10_000).pool;
  const admitted = now.admitted - before.admitted;
  text('used', now.used);
  text('permits', now.permits);
  text('waiting', now.waiting);
  text('wait', time(now.expected));
  text('waited', time(admitted > 0 ? (now.waited - before.waited) / admitted : undefined));
  text('cost', now.cost);
  text('hash', time(now.hash * 2 ** (now.cost - 10)));
  const lanes = byId('lanes');
  lanes.setAttribute('aria-valuemax', now.permits);
  lanes.setAttribute('aria-valuenow', now.used);
  lanes.setAttribute('aria-valuetext', `${now.used} of ${now.permits} lanes busy`);
  const perThread = now.threads > 0 ? now.permits / now.threads : 0;
  fit(lanes, now.threads, 'div');
  [...lanes.children].forEach(thread => fit(thread, perThread, 'i'));
  // Which lanes they are is not known, nor does it matter.
  [...lanes.querySelectorAll('i')].forEach((lane, i) => lane.classList.toggle('busy', i < now.used));
}

/** Announced, so written when it changes only, and not by each per cent. */
function cpu(now) {
  const cause = {
    quota: "This container's CPU quota is used up",
    others: "Other processes take this machine's CPU",
    service: "The rest of this service takes this machine's CPU",
  }[now.cpuShort];
  const words = cause ? `${cause}: hashing gets about ${10 * Math.round(10 * now.cpu)} % of what it has work for.` : '';
  if (byId('cpu').textContent !== words) {
    text('cpu', words);
  }
}

function hashes() {
  const paths = ['local', 'spilled', 'shed'];
  const lines = paths.map(path => history.rates(sample => sample.hashes[path] ?? 0));
  const top = Math.ceil(Math.max(1, ...lines.flat().map(([, rate]) => rate)));
  text('chart-top', top);
  text('chart-half', top / 2);
  byId('chart').setAttribute('aria-label', `Hashes in the last minute, from 0 to ${top} a second`);
  paths.forEach((path, i) => {
    text(`hashes-${path}`, history.rate(sample => sample.hashes[path] ?? 0).toFixed(1));
    byId('chart').querySelector(`.${path}`).setAttribute('points', lines[i].map(([ago, rate]) =>
      `${(240 * (1 - ago / History.SPAN)).toFixed(1)},${(78 - 76 * rate / top).toFixed(1)}`).join(' '));
  });
}

function logins(sample) {
  const throttled = s => Object.entries(s.logins)
    .filter(([outcome]) => outcome.startsWith('throttled')).reduce((sum, [, n]) => sum + n, 0);
  for (const outcome of ['granted', 'denied', 'shed', 'failed']) {
    text(`logins-${outcome}`, history.rate(s => s.logins[outcome] ?? 0).toFixed(1));
  }
  text('logins-throttled', history.rate(throttled).toFixed(1));
  text('logins-all', Object.values(sample.logins).reduce((sum, n) => sum + n, 0));
}

function latency() {
  const minute = latencies(history.before(History.SPAN), history.latest);
  text('latency-count', minute.at(-1).count);
  for (const [id, q] of [['p50', 0.5], ['p90', 0.9], ['p99', 0.99]]) {
    text(id, time(quantile(minute, q)));
  }
}

function spill(now) {
  text('average', now.average.toFixed(2));
  text('variance', now.variance.toFixed(2));
  text('spill-waiting', now.waiting);
  const longest = Math.max(1, ...now.targets.map(target => target.most));
  bars('targets', now.targets.map(target => ({
    name: target.name,
    words: [`${target.pending} of ${target.most}`, target.pending >= target.most && 'full',
      target.cooling && 'cooling', target.misconfigured && 'misconfigured'].filter(Boolean).join(', '),
    share: target.pending / longest,
    full: target.pending >= target.most || target.misconfigured,
  })), 'Nothing spills: no target is configured.');
}

function spend(now) {
  bars('spend', ['minute', 'hour', 'day'].filter(span => span in now.share).map(span => ({
    name: { minute: 'Hashes of this minute', hour: 'Hour', day: 'Day' }[span],
    words: [span in now.money && now.money[span].toFixed(4), `${(100 * now.share[span]).toFixed(1)} %`]
      .filter(Boolean).join(', '),
    share: now.share[span],
    full: now.share[span] >= 1,
  })), 'Nothing is counted.');
  byId('stopped').hidden = !now.stopped;
}

/** A list of bars, each with its value in words beside it. */
function bars(id, rows, none) {
  const list = byId(id);
  if (rows.length === 0) {
    fit(list, 1, 'li');
    list.firstElementChild.textContent = none;
    return;
  }
  if (list.firstElementChild && !list.firstElementChild.firstElementChild) {
    list.replaceChildren();
  }
  fit(list, rows.length, 'li', item => {
    const line = item.appendChild(document.createElement('p'));
    line.append(document.createElement('span'), document.createElement('span'));
    const bar = item.appendChild(document.createElement('div'));
    bar.className = 'bar spilled';
    bar.setAttribute('role', 'meter');
    bar.setAttribute('aria-valuemin', 0);
    bar.setAttribute('aria-valuemax', 100);
    bar.appendChild(document.createElement('div'));
  });
  rows.forEach((row, i) => {
    const [line, bar] = list.children[i].children;
    const percent = Math.max(0, Math.min(100, Math.round(100 * row.share)));
    line.firstChild.textContent = row.name;
    line.lastChild.textContent = row.words;
    bar.setAttribute('aria-label', row.name);
    bar.setAttribute('aria-valuenow', percent);
    bar.setAttribute('aria-valuetext', row.words);
    bar.classList.toggle('full', row.full);
    bar.firstChild.style.width = `${percent}%`;
  });
}

/** Gives the element so many children, and leaves alone those it has. */
function fit(parent, count, tag, made = () => {}) {
  while (parent.children.length > count) {
    parent.lastElementChild.remove();
  }
  while (parent.children.length < count) {
    made(parent.appendChild(document.createElement(tag)));
  }
}

function text(id, words) {
  byId(id).textContent = words;
}
