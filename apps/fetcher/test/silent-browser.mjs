// A browser process whose calls hang: it responds to none, and ends when it is closed.
process.on('message', ({ type }) => {
  if (type === 'close') process.exit(0);
});
