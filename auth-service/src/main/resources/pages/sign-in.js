// A login form: name and password to POST /login, and what to say when that does not bring a token.

const WORDS = {
  400: 'Login and password are both needed.',
  401: 'Login or password is wrong.',
  429: 'Too many wrong passwords.',
  503: 'The service is busy. Your password has not been looked at.',
};

/**
 * @param form with the fields `login` and `password`, a button, and elements of the classes `error`
 *     (role alert) and `countdown`
 * @param signedIn is given the answer: access_token and, where sessions are on, refresh_token
 */
export function signIn(form, signedIn) {
  const { login, password } = form.elements;
  const button = form.querySelector('button');
  const error = form.querySelector('.error');
  const countdown = form.querySelector('.countdown');

  form.addEventListener('submit', async event => {
    event.preventDefault();
    if (button.disabled) {
      return;
    }
    button.disabled = true;
    error.textContent = '';
    form.setAttribute('aria-busy', 'true');
    let answer;
    try {
      answer = await fetch('/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ login: login.value, password: password.value }),
      });
      if (answer.ok) {
        const granted = await answer.json();
        button.disabled = false;
        form.reset();
        signedIn(granted);
        return;
      }
    } catch {
      answer = undefined;
    } finally {
      form.removeAttribute('aria-busy');
    }
    refused(answer);
  });

  function refused(answer) {
    const words = answer ? WORDS[answer.status] ?? 'Something went wrong.' : 'The service cannot be reached.';
    const wait = answer ? Number(answer.headers.get('Retry-After')) || 0 : 0;
    if (answer?.status === 401) {
      password.value = '';
    }
    if (wait === 0) {
      error.textContent = words;
      button.disabled = false;
      password.focus();
      return;
    }
    // Announced once: the countdown is for the eye only, not for screen readers.
    error.textContent = `${words} Try again in ${spoken(wait)}.`;
    const until = performance.now() + wait * 1000;
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000);
      if (left > 0) {
        countdown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
        setTimeout(tick, 250);
        return;
      }
      countdown.textContent = '';
      error.textContent = 'You can try again now.';
      button.disabled = false;
      button.focus();
    };
    tick();
  }
}

function spoken(seconds) {
  if (seconds < 60) {
    return seconds === 1 ? 'a second' : `${seconds} seconds`;
  }
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
