// Server-sent events over fetch: EventSource cannot send the token.

/** Calls `seen` with the data of each event, until the stream ends or breaks off. */
export async function read(response, seen) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    text += value;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter(line => line.startsWith('data:'));
      if (data.length > 0) {
        seen(data.map(line => line.slice('data:'.length)).join('\n'));
      }
    }
  }
}
