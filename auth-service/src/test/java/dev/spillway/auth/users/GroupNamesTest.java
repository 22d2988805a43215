package dev.spillway.auth.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupNamesTest {
  @Test
  void names_surviveTheirColumn() {
    Set<String> names = Set.of("admin", "a,b", "x:y/z");

    assertThat(GroupNames.split(GroupNames.join(names))).isEqualTo(names);
    assertThat(GroupNames.split(GroupNames.join(Set.of()))).isEmpty();
  }

  @Test
  void repeatedNames_countOnce() {
    assertThat(GroupNames.parse(List.of("a", "a"))).contains(Set.of("a"));
    assertThat(GroupNames.parse(null)).contains(Set.of());
  }

  @Test
  void namesOutsideTheRule_areRefused() {
    assertThat(GroupNames.parse(List.of(""))).isEmpty();
    assertThat(GroupNames.parse(List.of("a b"))).isEmpty();
    assertThat(GroupNames.parse(List.of("\u00e9"))).isEmpty();
    assertThat(GroupNames.parse(List.of("g".repeat(65)))).isEmpty();
    assertThat(GroupNames.parse(Arrays.asList("a", null))).isEmpty();
    assertThat(GroupNames.parse(IntStream.range(0, 33).mapToObj(i -> "g" + i).toList())).isEmpty();
  }
}
