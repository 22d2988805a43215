import { signIn } from './sign-in.js';

const form = document.getElementById('sign-in');

// A product would keep the token in memory and go on; what is in a page's storage, any script of it can read.
signIn(form, async ({ access_token: token }) => {
  const answer = await fetch('/me', { headers: { Authorization: `Bearer ${token}` } });
  const me = await answer.json();
  form.hidden = true;
  document.getElementById('title').textContent = 'Logged in';
  document.getElementById('title').focus();
  document.getElementById('welcome').textContent = `You are ${me.login ?? me.sub}.`;
  document.getElementById('welcome').hidden = false;
});
