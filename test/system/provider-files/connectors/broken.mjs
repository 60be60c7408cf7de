export default { id: 1 };
